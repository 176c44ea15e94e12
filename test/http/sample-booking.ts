import Type from 'typebox';

/** A body with something of everything that a schema can ask for. */
export const Booking = Type.Object(
  {
    type: Type.Union([Type.Literal('book'), Type.Literal('request')]),
    partySize: Type.Integer({ minimum: 1 }),
    email: Type.Optional(Type.Union([Type.String({ format: 'email' }), Type.Null()])),
    time: Type.Optional(Type.String({ format: 'clock-time' })),
    dateTime: Type.Optional(Type.String({ format: 'date-time' })),
    labels: Type.Optional(Type.Array(Type.String({ maxLength: 5 }), { uniqueItems: true })),
    preorders: Type.Optional(
      Type.Object({
        menus: Type.Array(Type.Object({ id: Type.Integer() }, { additionalProperties: false })),
      }),
    ),
    extra: Type.Optional(
      Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()]), { additionalProperties: false }),
    ),
    anything: Type.Optional(Type.Unknown()),
  },
  { additionalProperties: false },
);

/** One that fits it. */
export const booking = { type: 'book', partySize: 2 };
