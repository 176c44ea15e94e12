/** Closing times in a field for times, which knows no `24:00`. */
export const closesField = (closes: string) => (closes === '24:00' ? '00:00' : closes.slice(0, 5));

/** A day that opens at midnight and closes at midnight is a whole one. */
export const closesOf = (opens: string, field: string) =>
  field === '00:00' && opens === '00:00' ? '24:00' : field;
