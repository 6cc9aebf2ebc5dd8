import { z } from 'zod';

/** The name of a session. */
export const SessionName = z
  .string()
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/,
    'must be 1 to 64 letters, digits, dots, - and _, and begin with a letter or digit',
  );
