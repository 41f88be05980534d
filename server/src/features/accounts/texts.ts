/** What text messages and e-mails with a code say. */
import type { Language } from '@neuroloom/contract/language'
import { codes } from '@neuroloom/contract/limits'
import type { CodePurpose } from '@neuroloom/contract/sign-up'

const minutes = codes.validMs / 60_000

const text: Record<Language, (code: string) => string> = {
  en: (code) => `Neuroloom: your code is ${code}. It is valid for ${minutes} minutes. Give it to nobody.`,
  zh: (code) => `【Neuroloom】您的验证码是 ${code}，${minutes} 分钟内有效。请勿告知他人。`,
  ru: (code) => `Neuroloom: ваш код ${code}. Действует ${minutes} мин. Никому его не сообщайте.`,
}

export const codeText = (code: string, language: Language): string => text[language](code)

/** An e-mail says what it is for: it may reach somebody who asked for nothing. */
export function codeMail(
  code: string,
  { purpose, language }: { purpose: CodePurpose; language: Language },
): { subject: string; text: string } {
  const { subject, reasons, rest } = mail[language]
  return { subject, text: `${reasons[purpose]}\n\n    ${code}\n\n${rest}\n\nNeuroloom\n` }
}

const mail: Record<Language, { subject: string; reasons: Record<CodePurpose, string>; rest: string }> = {
  en: {
    subject: 'Your Neuroloom code',
    reasons: {
      register: 'Use this code to make your Neuroloom account:',
      forget: 'Use this code to set a new password for your Neuroloom account:',
    },
    rest:
      `The code is valid for ${minutes} minutes. Give it to nobody; we never ask for it.\n` +
      'If you did not ask for it, you can ignore this e-mail: without the code nothing happens.',
  },
  zh: {
    subject: 'Neuroloom 验证码',
    reasons: {
      register: '您正在注册 Neuroloom 账号，验证码为：',
      forget: '您正在重设 Neuroloom 账号的密码，验证码为：',
    },
    rest:
      `验证码 ${minutes} 分钟内有效。请勿告知他人，我们绝不会向您索要验证码。\n` +
      '如非您本人操作，请忽略此邮件：没有验证码，任何人都无法继续操作。',
  },
  ru: {
    subject: 'Ваш код Neuroloom',
    reasons: {
      register: 'Код для регистрации в Neuroloom:',
      forget: 'Код для смены пароля в Neuroloom:',
    },
    rest:
      `Код действует ${minutes} минут. Никому его не сообщайте: мы никогда его не спрашиваем.\n` +
      'Если вы не запрашивали код, просто не обращайте внимания на это письмо: без кода ничего не произойдёт.',
  },
}
