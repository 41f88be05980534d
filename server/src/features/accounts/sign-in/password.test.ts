import { passwordProblem } from '@neuroloom/contract/accounts/form-rules'
import { expect, test } from 'vitest'
import * as password from './password.ts'

test('a password is stored as Argon2id with the agreed cost and recognised however it is composed', async () => {
  const stored = await password.hash('Пароль é 密码')
  expect(stored).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  expect(await password.verify(stored, 'Пароль e\u0301 密码')).toBe(true)
  expect(await password.verify(stored, 'Пароль e 密码')).toBe(false)
  expect(await password.verify(null, 'nobody has this password')).toBe(false)
})

test('two are worked on and fifty wait; more are told that the server is busy', async () => {
  const results = await Promise.allSettled(Array.from({ length: 55 }, () => password.hash('x')))
  const refused = results.filter((result) => result.status === 'rejected')
  expect(refused.map((result) => String(result.reason))).toEqual([
    'Failure: busy',
    'Failure: busy',
    'Failure: busy',
  ])
  await expect(password.hash('x')).resolves.toMatch(/^\$argon2id/)
})

test('drawn passwords are long, different and free of look-alikes', () => {
  const drawn = Array.from({ length: 100 }, () => password.draw())
  expect(new Set(drawn).size).toBe(100)
  expect(drawn.every((one) => /^[^Il1O0o\W_]{20}$/.test(one))).toBe(true)
})

test('a drawn password is never one that its owner might not choose', () => {
  const drawn = Array.from({ length: 1000 }, () => password.draw())
  expect(drawn.filter((one) => passwordProblem(one) !== null)).toEqual([])
})
