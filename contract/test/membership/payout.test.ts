import { type Payee, payeeProblems } from '@neuroloom/contract/membership/payout'
import { describe, expect, it } from 'vitest'

const bank: Payee = {
  method: 'bank',
  name: 'Account Holder',
  bank: 'Bank of the City',
  account: '6222 0000-1111 222',
}

describe('an account that money is paid out to', () => {
  it('at a bank needs its holder, the bank and a number', () => {
    expect(payeeProblems(bank)).toEqual({})
    expect(payeeProblems({ ...bank, name: ' ', bank: '', account: '' })).toEqual({
      name: 'name_required',
      bank: 'bank_required',
      account: 'account_required',
    })
  })

  it('of another kind needs no bank, and its name may be an address or a number', () => {
    for (const method of ['alipay', 'wechat'] as const) {
      expect(payeeProblems({ method, name: '李娜', bank: '', account: 'holder@example.test' })).toEqual({})
      expect(payeeProblems({ method, name: '李娜', bank: '', account: '' })).toEqual({
        account: 'account_required',
      })
    }
  })

  it.each(['12345', 'my account!', '6222_0000', '６２２２００００', '-6222000', `6${'0'.repeat(40)}`])(
    'is no bank account: %s',
    (account) => {
      expect(payeeProblems({ ...bank, account })).toEqual({ account: 'account_format' })
    },
  )

  it.each(['621700 1234567890123', 'DE89 3704 0044 0532 0130 00', '622200001111'])(
    'is a bank account: %s',
    (account) => {
      expect(payeeProblems({ ...bank, account })).toEqual({})
    },
  )

  it('has no endless fields', () => {
    expect(payeeProblems({ ...bank, name: 'x'.repeat(101) })).toEqual({ name: 'too_long' })
  })
})
