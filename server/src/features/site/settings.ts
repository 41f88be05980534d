import type { Answer } from '@neuroloom/contract/calls'
import { moduleNames } from '@neuroloom/contract/office/modules'
import type { Guest } from '../../http/access.ts'
import type { Context } from '../../infra/context.ts'
import { productVersion } from '../../infra/version.ts'
import { canRegister, isOpen, textCountries } from '../accounts/access.ts'

/** What a page must know before anybody is signed in. */
export async function publicSettings(
  ctx: Context,
  _body: unknown,
  { isAtServer }: Guest,
): Promise<Answer<'setting/public'>> {
  const { deployment, mode, outboxOpen } = ctx.config
  const host = deployment === 'private' ? -1 : 0
  return {
    host,
    trial: mode === 'trial',
    outbox: mode === 'trial' && (outboxOpen || isAtServer),
    registration: canRegister(ctx),
    renewal: isOpen(ctx),
    off: moduleNames.filter((name) => ctx.modules.isOff(name)),
    mail: isOpen(ctx) && ctx.messages.canMail,
    letters: ctx.messages.canMail,
    smsCountries: isOpen(ctx) ? textCountries(ctx) : [],
    version: productVersion,
  }
}

/** The word in the name says the language; there is one file for each. */
export const contract = async (): Promise<Answer<'setting/contract'>> => ({
  url: '/agreement/Neuroloom-Agreement-Chinese.pdf',
})
