import { randomInt } from 'node:crypto'
import { hashPassword } from '../../accounts/access.ts'

/** Draws numbers until one is of no other group: `insert` says whether it could be taken. */
export async function takeNumber(
  digits: number,
  insert: (number: string) => Promise<{ id: string }[]>,
): Promise<void> {
  const least = 10 ** (digits - 1)
  while ((await insert(String(randomInt(least, 10 * least)))).length === 0) {}
}

/** Null: whoever knows the number may join. */
export const groupPasswordHash = async (password: string): Promise<string | null> =>
  password === '' ? null : hashPassword(password)
