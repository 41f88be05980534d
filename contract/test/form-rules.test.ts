import {
  codeProblem,
  documentProblem,
  emailsProblem,
  fullPhoneProblem,
  nickNameProblem,
  passwordProblem,
  phoneProblem,
} from '@neuroloom/contract/accounts/form-rules'
import { describe, expect, test } from 'vitest'

describe('phone numbers', () => {
  test.each([
    ['86', '13800138000', null],
    ['86', '12800138000', 'phone_format'],
    ['86', '1380013800', 'phone_format'],
    ['86', '138001380001', 'phone_format'],
    ['', '13800138000', 'enter_area'],
    ['86', ' ', 'enter_phone'],
    ['7', '9161234567', null],
    ['7', '916-123-45', 'phone_format'],
    ['7', '123', 'phone_format'],
    ['44', '12345678901234', 'phone_format'],
    ['86', '１３８００１３８０００', 'phone_format'],
  ])('+%s %s: %s', (areaCode, number, problem) => {
    expect(phoneProblem({ areaCode, number })).toBe(problem)
  })

  test.each([
    ['+8613800138000', null],
    ['8613800138000', null],
    ['+861380013800', 'phone_format'],
    ['+79161234567', null],
    ['+', 'enter_phone'],
    ['', 'enter_phone'],
  ])('whole: %s: %s', (phone, problem) => {
    expect(fullPhoneProblem(phone)).toBe(problem)
  })
})

test.each([
  ['', 'enter_password'],
  ['abcdefgh', 'password_rule'],
  ['12345678', 'password_rule'],
  ['!!!!!!!!', 'password_rule'],
  ['abc123', 'password_rule'],
  ['abcd1234', null],
  ['abcd!!!!', null],
  ['1234!!!!', null],
  ['пароль-1', null],
  ['密码abcd1234', 'password_no'],
  [`a1${'x'.repeat(127)}`, 'too_big'],
])('password %s: %s', (text, problem) => {
  expect(passwordProblem(text)).toBe(problem)
})

describe('e-mail addresses', () => {
  test.each([
    ['doctor@hospital.org', null],
    ['first.last-name@ward.hospital.org; second@hospital.org', null],
    ['doctor@hospital', 'email_format'],
    ['doctor@hospital.o', 'email_format'],
    ['.doctor@hospital.org', 'email_format'],
    ['doctor..x@hospital.org', 'email_format'],
    ['a@b@hospital.org', 'email_format'],
    ['doctor@hospital.org;', 'email_format'],
    ['doctor@-hospital.org', 'email_format'],
    ['', 'enter_email'],
  ])('%s: %s', (text, problem) => {
    expect(emailsProblem(text, { required: true })).toBe(problem)
  })

  test('may be left out where they are not required', () => {
    expect(emailsProblem(' ', { required: false })).toBeNull()
  })

  test('a list built to be slow takes as long as any other of its length', () => {
    // So long that whatever grew with its square would not end within the test.
    const hostile = `${'a.'.repeat(1_000_000)}@${'a-'.repeat(1_000_000)};${'a@'.repeat(1_000_000)}`
    expect(emailsProblem(hostile, { required: true })).toBe('email_format')
  })
})

test.each([
  ['card_number', '11010519491231002X', null],
  ['card_number', '110105491231002', null],
  ['card_number', '1101051949123100', 'number_format'],
  ['card_number', 'X10105194912310021', 'number_format'],
  ['passport', 'E12345678', null],
  ['passport', ' ', 'enter_number'],
] as const)('document %s %s: %s', (type, number, problem) => {
  expect(documentProblem(type, number)).toBe(problem)
})

test.each([
  ['Radiology', null],
  ['放射科', null],
  ['  ', 'required'],
  ['admin\u202e', 'name_hidden'],
  ['ad\u200bmin', 'name_hidden'],
  ['x'.repeat(10_000), 'too_big'],
])('nickname %j: %s', (text, problem) => {
  expect(nickNameProblem(text)).toBe(problem)
})

test.each([
  ['123456', null],
  ['', 'enter_code'],
  ['12345', 'code_format'],
  ['12345a', 'code_format'],
])('code %s: %s', (code, problem) => {
  expect(codeProblem(code)).toBe(problem)
})
