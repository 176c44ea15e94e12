export interface Mail {
  /** The same when it is sent a second time. */
  id: string;
  to: string;
  subject: string;
  text: string;
}

/** Takes a mail to where it is delivered from, or throws. */
export interface Mailer {
  send(mail: Mail): Promise<void>;
}
