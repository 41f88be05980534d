/** The program at the console says what was typed wrong. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeServer, type TestServer } from '../../../../test/harness.ts'
import { refusalOf } from '../../../../test/program.ts'

let server: TestServer
beforeAll(async () => {
  server = await makeServer({ deployment: 'private' })
})
afterAll(() => server.close())

it.each([
  [
    ['password', 'nobody@hospital.example'],
    'There is no account with this phone number or e-mail address.\n',
  ],
  [['super', 'a@hospital.example', 'maybe'], '“maybe” is neither yes nor no.\n'],
  [['unlock'], 'This is how it is typed: npm run admin -- unlock <account>\n'],
  [['block', 'a', 'b'], 'This is how it is typed: npm run admin -- block <account>\n'],
])('%j ends the program with a sentence', async (words, sentence) => {
  expect(await refusalOf(server, ...words)).toBe(sentence)
})
