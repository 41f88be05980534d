/** What an answer's e-mail says around the answer itself. */
import type { Language } from '@neuroloom/contract/language'
import type { Mail } from '../../infra/messages.ts'

type Written = { name: string; question: string; answer: string }

const frames: Record<Language, { subject: string; hello: (name: string) => string; yours: string }> = {
  en: {
    subject: 'Neuroloom: answer to your message',
    hello: (name) => `Dear ${name},`,
    yours: 'You wrote to us:',
  },
  zh: {
    subject: 'Neuroloom：对您留言的回复',
    hello: (name) => `${name}，您好！`,
    yours: '您的留言：',
  },
  ru: {
    subject: 'Neuroloom: ответ на ваше сообщение',
    hello: (name) => `Здравствуйте, ${name}!`,
    yours: 'Вы писали нам:',
  },
}

export function answerMail(
  { name, question, answer }: Written,
  { to, language }: { to: string; language: Language },
): Mail {
  const { subject, hello, yours } = frames[language]
  const quoted = question.split(/\r?\n/).map((line) => `> ${line}`)
  return { to, subject, text: [hello(name), '', answer, '', yours, ...quoted].join('\n') }
}
