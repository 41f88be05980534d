/** Each message of the accounts' forms as a person must read it. */
export const messages = {
  required: {
    en: 'Please fill in this field.',
    zh: '请填写此项。',
    ru: 'Пожалуйста, заполните это поле.',
  },
  too_big: {
    en: 'This is too long or too large.',
    zh: '内容太长或数值太大。',
    ru: 'Слишком длинно или слишком много.',
  },
  enter_area: {
    en: 'Please choose the area code.',
    zh: '请选择区号。',
    ru: 'Выберите код страны.',
  },
  enter_phone: {
    en: 'Please enter the phone number.',
    zh: '请输入手机号码。',
    ru: 'Введите номер телефона.',
  },
  phone_format: {
    en: 'This phone number is not complete or not valid.',
    zh: '手机号码不完整或不正确。',
    ru: 'Номер телефона неполный или неверный.',
  },
  enter_password: {
    en: 'Please enter a password.',
    zh: '请输入密码。',
    ru: 'Введите пароль.',
  },
  password_rule: {
    en: 'At least 8 characters, with two of these: letters, digits, symbols.',
    zh: '至少 8 个字符，且包含字母、数字、符号中的两种。',
    ru: 'Не менее 8 знаков, из них два вида: буквы, цифры, символы.',
  },
  password_no: {
    en: 'A password may not contain Chinese characters.',
    zh: '密码不能包含汉字。',
    ru: 'Пароль не может содержать китайские иероглифы.',
  },
  passwords_differ: {
    en: 'The two passwords do not match.',
    zh: '两次输入的密码不一致。',
    ru: 'Пароли не совпадают.',
  },
  enter_email: {
    en: 'Please enter the e-mail address.',
    zh: '请输入邮箱地址。',
    ru: 'Введите адрес эл. почты.',
  },
  email_format: {
    en: 'This e-mail address is not valid.',
    zh: '邮箱地址不正确。',
    ru: 'Адрес эл. почты неверен.',
  },
  enter_code: {
    en: 'Please enter the code.',
    zh: '请输入验证码。',
    ru: 'Введите код.',
  },
  code_format: {
    en: 'The code has six digits.',
    zh: '验证码为六位数字。',
    ru: 'Код состоит из шести цифр.',
  },
  enter_number: {
    en: 'Please enter the document number.',
    zh: '请输入证件号码。',
    ru: 'Введите номер документа.',
  },
  number_format: {
    en: 'An ID card number has 15 or 18 digits; the last may be an X.',
    zh: '身份证号码为 15 位或 18 位数字，最后一位可以是 X。',
    ru: 'Номер удостоверения: 15 или 18 цифр, последней может быть X.',
  },
  name_hidden: {
    en: 'This contains characters that cannot be seen. Please type it again.',
    zh: '其中含有不可见字符，请重新输入。',
    ru: 'Здесь есть невидимые символы. Введите текст заново.',
  },
  agree_first: {
    en: 'Please read and accept the agreement first.',
    zh: '请先阅读并同意协议。',
    ru: 'Сначала прочтите и примите соглашение.',
  },
  english_only: {
    en: 'Please write this in Latin letters, without Chinese characters.',
    zh: '请用英文填写，不要使用中文字符。',
    ru: 'Заполните латиницей, без китайских иероглифов.',
  },
  enter_fax: {
    en: 'Enter a fax number first, or choose another way.',
    zh: '请先填写传真号码，或选择其他联系方式。',
    ru: 'Сначала укажите номер факса или выберите другой способ.',
  },
  no_text_messages: {
    en: 'Text messages are not sent to this country. Use your e-mail address.',
    zh: '本站不向该国家或地区发送短信。请使用电子邮箱。',
    ru: 'В эту страну SMS не отправляются. Используйте электронную почту.',
  },
} as const
export type MessageName = keyof typeof messages
