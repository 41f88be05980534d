/** Which ways of paying there are, and who stands behind them. */
import { type PayMethod, payMethodNames } from '@neuroloom/contract/membership/orders'
import type { BankConfig, Config } from '../../config.ts'
import type { Context } from '../../infra/context.ts'
import { createCashier } from './cashier/cashier.ts'
import type { Provider } from './provider.ts'

export type ProviderMethod = Exclude<PayMethod, 'transfer'>

/** The trial has all of them, and no money moves; elsewhere those that are set up. */
export const methodsOf = ({ config }: Pick<Context, 'config'>): PayMethod[] =>
  payMethodNames.filter((method) => {
    if (isTrial(config)) return true
    return method === 'transfer' ? config.bank !== undefined : config[method] !== undefined
  })

export const isTrial = ({ mode }: Pick<Config, 'mode'>): boolean => mode === 'trial'

/** Where bank transfers go; null = there are none. In the trial an account that nobody has. */
export function bankOf({ config }: Pick<Context, 'config'>): BankConfig | null {
  if (config.bank) return config.bank
  return isTrial(config) ? { holder: 'Neuroloom', bank: 'TRIAL', account: '0000 0000 0000 0000' } : null
}

const made = new WeakMap<Config, Map<ProviderMethod, Promise<Provider>>>()

/** Null = nobody can pay that way here. Providers are loaded when they are needed first. */
export async function providerOf(ctx: Context, method: ProviderMethod): Promise<Provider | null> {
  const known = made.get(ctx.config) ?? new Map<ProviderMethod, Promise<Provider>>()
  made.set(ctx.config, known)
  const provider = known.get(method) ?? load(ctx, method)
  if (!provider) return null
  known.set(method, provider)
  return provider
}

function load({ config, links, now }: Context, method: ProviderMethod): Promise<Provider> | null {
  if (isTrial(config)) return Promise.resolve(createCashier({ config, links, now }))
  const { alipay, wechat } = config
  if (method === 'alipay')
    return alipay
      ? import('./providers/alipay.ts').then(({ createAlipay }) => createAlipay(alipay, now))
      : null
  return wechat ? import('./providers/wechat.ts').then(({ createWechat }) => createWechat(wechat, now)) : null
}

/** Where a provider tells that something was paid. */
export const notifyUrl = ({ config }: Pick<Context, 'config'>, method: ProviderMethod): string =>
  `${config.publicUrl ?? ''}${notifyPath(method)}`

export const notifyPath = (method: ProviderMethod): string => `/AI/api/payment/${method}/notify`
