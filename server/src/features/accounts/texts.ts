/** What text messages say. */
import type { Language } from '@neuroloom/contract/language'
import { codes } from '@neuroloom/contract/limits'

const minutes = codes.validMs / 60_000

const code: Record<Language, (code: string) => string> = {
  en: (digits) => `Neuroloom: your code is ${digits}. It is valid for ${minutes} minutes. Give it to nobody.`,
  zh: (digits) => `【Neuroloom】您的验证码是 ${digits}，${minutes} 分钟内有效。请勿告知他人。`,
  ru: (digits) => `Neuroloom: ваш код ${digits}. Действует ${minutes} мин. Никому его не сообщайте.`,
}

export const codeText = (digits: string, language: Language): string => code[language](digits)
