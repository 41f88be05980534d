/** What an answer's e-mail says around the answer itself. */
import type { Language } from '@neuroloom/contract/language'
import type { Mail } from '../../infra/messages/messages.ts'
import { sayer } from '../../infra/texts.ts'

type Written = { name: string; question: string; answer: string }

export function answerMail(
  { name, question, answer }: Written,
  { to, language }: { to: string; language: Language },
): Mail {
  const say = sayer('letters', language)
  const quoted = question.split(/\r?\n/).map((line) => `> ${line}`)
  const text = [say('answer.hello', { name }), '', answer, '', say('answer.yours'), ...quoted].join('\n')
  return { to, subject: say('answer.subject'), text }
}
