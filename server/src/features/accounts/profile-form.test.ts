import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { makeServer, PASSWORD, type Session, type TestServer } from '../../../test/harness.ts'
import { brokenFields, englishFields, memberForm } from '../../../test/member-form.ts'

let server: TestServer
beforeAll(async () => {
  server = await makeServer()
})
afterAll(() => server.close())

const edit = (who: Session, body: object) => server.call('user/edit', body, who)
const info = async (who: Session) => (await server.call('user/info', {}, who)).data

const storedRow = async (who: Session) =>
  (await server.ctx.pool.query('select * from users where id = $1', [who.userId])).rows[0]

async function makeMember(): Promise<Session & { account: string }> {
  const member = await server.signUp({ vipLevel: 0 })
  expect((await edit(member, memberForm)).code).toBe(10200)
  return member
}

describe('a whole profile', () => {
  test('makes a visitor an ordinary member, who reads it back with the number masked', async () => {
    const visitor = await server.signUp({ vipLevel: 0 })
    expect(await info(visitor)).toMatchObject({ type: 0, vipLevel: 0, cardNumber: '' })
    const { data } = await edit(visitor, memberForm)
    const expected = {
      ...memberForm,
      cardNumber: '**************002X',
      type: 1,
      vipLevel: 1,
      account: 'email',
    }
    expect(data).toMatchObject(expected)
    expect(await info(visitor)).toMatchObject(expected)
    const login = await server.call('user/login', { account: visitor.account, password: PASSWORD })
    expect(login.data).toMatchObject(expected)
  })

  test('given in parts makes an ordinary member with the last part', async () => {
    const visitor = await server.signUp({ vipLevel: 0 })
    const { postcode, ...most } = memberForm
    expect((await edit(visitor, most)).data).toMatchObject({ type: 0, vipLevel: 0 })
    expect((await edit(visitor, { postcode })).data).toMatchObject({ type: 1, vipLevel: 1 })
  })

  test('lowers nobody', async () => {
    const gold = await server.signUp({ vipLevel: 4 })
    expect((await edit(gold, memberForm)).data).toMatchObject({ type: 1, vipLevel: 4 })
  })

  test('with one broken rule changes nothing', async () => {
    const visitor = await server.signUp({ vipLevel: 0 })
    const before = await storedRow(visitor)
    const { data } = await edit(visitor, { ...memberForm, cardNumber: '123' })
    expect(data).toMatchObject({ error: 'invalid', fields: { cardNumber: 'form.number_format' } })
    expect(await storedRow(visitor)).toEqual(before)
  })

  test('needs the fields that were not given as well', async () => {
    const visitor = await server.signUp({ nickName: '张医生' })
    const { nickName: _, ...rest } = memberForm
    expect((await edit(visitor, rest)).data).toMatchObject({
      error: 'english_only',
      params: { field: 'nickName' },
    })
  })
})

describe('a rule of the form', () => {
  let member: Session
  beforeAll(async () => {
    member = await makeMember()
  })

  test.each(brokenFields)('%s: %.40j is %s', async (field, value, problem) => {
    const { data } = await edit(member, { [field]: value })
    expect(data).toMatchObject({ error: 'invalid', fields: { [field]: `form.${problem}` } })
    const whole = await edit(member, { ...memberForm, [field]: value })
    expect(whole.data).toMatchObject({ error: 'invalid', fields: { [field]: `form.${problem}` } })
  })

  test.each(englishFields)('%s must not be in Chinese', async (field) => {
    const { data } = await edit(member, { [field]: '医院' })
    expect(data).toMatchObject({ error: 'english_only', params: { field } })
  })

  test.each([
    ['country', 'China'],
    ['currCountry', 'QQ'],
    ['area', '北京'],
    ['area', '1/2/3/4'],
    ['area', 'other/'],
    ['photo', '../../secret'],
  ])('%s: %s is on no list', async (field, value) => {
    const { data } = await edit(member, { [field]: value })
    expect(data).toMatchObject({ error: 'invalid', fields: { [field]: 'form.invalid' } })
  })

  test('looks at what depends on a field', async () => {
    await edit(member, { fax: '+861012345678' })
    expect((await edit(member, { fax: '+8613900000001', firstContact: 'fax' })).code).toBe(10200)
    expect((await edit(member, { fax: '' })).data.fields).toEqual({ firstContact: 'form.enter_fax' })
    expect((await edit(member, { currCountry: 'RU', area: '' })).code).toBe(10200)
    expect((await edit(member, { currCountry: 'CN' })).data.fields).toEqual({ area: 'form.required' })
    expect((await edit(member, { currCountry: 'CN', area: '31/3101/other' })).code).toBe(10200)
  })

  test('a visitor may fill in a part and empty it again', async () => {
    const visitor = await server.signUp()
    expect((await edit(visitor, { surname: 'Lin', email: 'lin@hospital.test' })).code).toBe(10200)
    expect((await edit(visitor, { surname: '', email: '' })).code).toBe(10200)
    expect((await edit(visitor, { email: 'nobody' })).data.fields).toEqual({ email: 'form.email_format' })
    expect((await edit(visitor, { nickName: ' ' })).data.fields).toEqual({ nickName: 'form.required' })
  })
})

describe('the document number', () => {
  let member: Session
  beforeEach(async () => {
    member = await makeMember()
  })

  test('stands nowhere in the database as it is', async () => {
    const row = await storedRow(member)
    const plain = JSON.stringify({ ...row, card_seal: row.card_seal.toString('latin1') })
    expect(plain).not.toContain(memberForm.cardNumber.slice(6, 14))
    expect(plain).not.toContain(memberForm.cardNumber.slice(-4))
  })

  test('sent again as it came stays, sealed as it was', async () => {
    const { card_seal: before } = await storedRow(member)
    const { cardNumber } = await info(member)
    expect((await edit(member, { ...memberForm, cardNumber, dept: 'Surgery' })).code).toBe(10200)
    expect((await storedRow(member)).card_seal).toEqual(before)
  })

  test('another mask than its own is no number', async () => {
    const answers = await Promise.all(
      ['********1234', '*', '**************0021', '1101051949*'].map((cardNumber) =>
        edit(member, { cardNumber }),
      ),
    )
    for (const { data } of answers) expect(data.fields).toEqual({ cardNumber: 'form.number_format' })
    const visitor = await server.signUp()
    const { data } = await edit(visitor, { cardType: 'passport', cardNumber: '********' })
    expect(data.fields).toEqual({ cardNumber: 'form.number_format' })
  })

  test('a kept number must fit a new type', async () => {
    await edit(member, { cardType: 'passport', cardNumber: 'E12345678' })
    const { cardNumber } = await info(member)
    expect(cardNumber).toBe('*****5678')
    const { data } = await edit(member, { cardType: 'card_number', cardNumber })
    expect(data.fields).toEqual({ cardNumber: 'form.number_format' })
  })

  test("in another member's row does not open", async () => {
    const other = await makeMember()
    await server.ctx.pool.query(
      'update users set card_seal = (select card_seal from users where id = $1) where id = $2',
      [member.userId, other.userId],
    )
    expect((await info(other)).cardNumber).toBe('')
  })
})

describe('the phone', () => {
  test('that somebody signs in with is not changed here', async () => {
    const member = await server.signUp({ account: '+8613500000001' })
    for (const phone of ['+8613500000002', '+79161234567', '']) {
      expect((await edit(member, { phone })).data.fields).toEqual({ phone: 'form.phone_fixed' })
    }
    expect((await edit(member, { phone: '8613500000001' })).data.phone).toBe('+8613500000001')
  })

  test('of a member who signs in by e-mail is', async () => {
    const member = await makeMember()
    expect((await edit(member, { phone: '8613500000003' })).data.phone).toBe('+8613500000003')
  })

  test('and the e-mail of a profile open no account', async () => {
    const member = await makeMember()
    await edit(member, { phone: '+8613500000004', email: 'elsewhere@hospital.test' })
    for (const account of ['+8613500000004', 'elsewhere@hospital.test']) {
      const { data } = await server.call('user/login', { account, password: PASSWORD })
      expect(data.error).toBe('wrong_credentials')
    }
  })
})
