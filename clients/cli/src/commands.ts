/** The table of commands, in the order in which help shows them. */
import type { Command } from './command.ts';
import { amendBooking, book, bookings, cancelBooking, showBookingCommand } from './commands/bookings.ts';
import { connectCheck } from './commands/connect-check.ts';
import { feedPull } from './commands/feed.ts';
import { createHold, extendHold, releaseHold, showHoldCommand } from './commands/holds.ts';
import { listen } from './commands/listen.ts';
import { login, logout, profileList, whoami } from './commands/login.ts';
import { logsTail } from './commands/logs.ts';
import { exportCommand, importCommand } from './commands/transfer.ts';
import { trigger } from './commands/trigger.ts';
import { availability, showVenue, venues } from './commands/venues.ts';
import { completionCommand } from './completion.ts';

export const COMMANDS: readonly Command[] = [
  login,
  logout,
  whoami,
  profileList,
  venues,
  showVenue,
  availability,
  book,
  bookings,
  showBookingCommand,
  amendBooking,
  cancelBooking,
  createHold,
  showHoldCommand,
  extendHold,
  releaseHold,
  listen,
  trigger,
  logsTail,
  feedPull,
  importCommand,
  exportCommand,
  connectCheck,
  completionCommand(() => COMMANDS),
];
