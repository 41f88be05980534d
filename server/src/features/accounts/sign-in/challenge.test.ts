import { createHash } from 'node:crypto'
import { challenge as limits } from '@neuroloom/contract/limits'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { drag } from '../../../../test/drag.ts'
import { makeServer, PASSWORD, type TestServer } from '../../../../test/harness.ts'
import { acceptProof } from './challenge.ts'

let server: TestServer
let account: string
beforeAll(async () => {
  server = await makeServer()
  account = (await server.signUp()).account
})
afterAll(() => server.close())

const loginCode = async (proof: string): Promise<number> =>
  (await server.call('user/login', { account, password: PASSWORD, proof })).code

test('a solved puzzle opens one sign-in and no second one', async () => {
  const proof = await drag(server)
  expect(await loginCode(proof)).toBe(10200)
  expect(await loginCode(proof)).toBe(20002)
})

test('of parallel uses of one puzzle exactly one counts', async () => {
  const proof = await drag(server)
  const codes = await Promise.all(Array.from({ length: 10 }, () => loginCode(proof)))
  expect(codes.filter((code) => code === 10200)).toHaveLength(1)
})

test('nothing made up or altered is a proof', async () => {
  const proof = JSON.parse(await drag(server))
  const forged = [
    'no json',
    '{}',
    JSON.stringify({ ...proof, number: proof.number + 1 }),
    JSON.stringify({ ...proof, expiresAt: proof.expiresAt + 60_000 }),
    JSON.stringify({ ...proof, maxNumber: proof.maxNumber * 2 }),
    JSON.stringify({ ...proof, signature: 'x'.repeat(43) }),
    // A puzzle of the attacker's own making.
    JSON.stringify({
      ...proof,
      salt: 'own',
      number: 0,
      target: createHash('sha256').update('own0').digest('hex'),
    }),
  ]
  for (const one of forged) expect(await loginCode(one), one).toBe(20002)
})

test('a puzzle is good for three minutes', async () => {
  const [early, late] = [await drag(server), await drag(server)]
  server.forward(limits.validMs - 2000)
  expect(await loginCode(early)).toBe(10200)
  server.forward(2000)
  expect(await loginCode(late)).toBe(20002)
})

test('a puzzle solved in another network is refused there and still good here', async () => {
  const proof = await drag(server)
  expect(await acceptProof(server.ctx, proof, { purpose: 'login', address: '203.0.113.9' })).toBeNull()
  expect(await acceptProof(server.ctx, proof, { purpose: 'login', address: '127.0.0.200' })).toBe(
    limits.maxNumber,
  )
})
