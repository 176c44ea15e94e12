/** What is opened from the evening, and its other views. */
import { later } from '../../app/later.ts';

export const BookingDrawer = later(
  async () => (await import('../../components/booking/booking-drawer.ts')).BookingDrawer,
);
export const Floor = later(async () => (await import('./floor/floor.ts')).Floor);
export const NewBooking = later(async () => (await import('./new-booking/new-booking.ts')).NewBooking);
export const WalkIn = later(async () => (await import('./new-booking/walk-in.ts')).WalkIn);
export const BlockDialog = later(async () => (await import('./new-booking/block-dialog.ts')).BlockDialog);
export const NewBlockDialog = later(
  async () => (await import('./new-booking/block-dialog.ts')).NewBlockDialog,
);

export const HoldDialog = later(async () => (await import('./hold-dialog.ts')).HoldDialog);

export const PARTS = [BookingDrawer, Floor, NewBooking, WalkIn, BlockDialog, NewBlockDialog, HoldDialog];
