/** Many accounts at once, from a table as spreadsheets save it. */
import * as z from 'zod'
import { memberImport as limits } from '../limits.ts'
import { route } from '../route.ts'
import { accountSchema, levelSchema, nickNameSchema, roleSchema } from './members.ts'
import { roles } from './roles.ts'

/** By which heads a column is known, in lower case without blanks and signs. */
export const importColumns = {
  account: [
    'account',
    'login',
    'email',
    'phone',
    '账号',
    '帐号',
    '邮箱',
    '手机号',
    'логин',
    'учётнаязапись',
    'учетнаязапись',
    'почта',
    'телефон',
  ],
  nickName: ['name', 'nickname', '姓名', '名称', '昵称', 'имя', 'фио', 'имявсистеме'],
  role: ['role', '角色', 'роль'],
  level: ['level', 'membershiplevel', '等级', '会员等级', 'уровень'],
  organ: [
    'institution',
    'organisation',
    'organization',
    'hospital',
    '单位',
    '机构',
    '医院',
    'учреждение',
    'организация',
    'больница',
  ],
  dept: ['department', 'ward', '科室', '部门', 'отделение', 'отдел'],
} as const
export type ImportColumn = keyof typeof importColumns

/** Words that stand for a role or a level besides its number. */
export const roleWords: Readonly<Record<string, number>> = {
  ...{ member: 0, 会员: 0, 成员: 0, участник: 0 },
  ...{ provider: 1, serviceprovider: 1, 服务商: 1, исполнитель: 1 },
  ...{ administrator: 2, admin: 2, 管理员: 2, администратор: 2 },
  ...{ partner: 3, 合作机构: 3, партнёр: 3, партнер: 3 },
}
export const levelWords: Readonly<Record<string, number>> = {
  ...{ visitor: 0, 访客: 0, гость: 0 },
  ...{ ordinary: 1, 普通会员: 1, 普通: 1, обычный: 1 },
  ...{ bronze: 2, 铜牌: 2, 青铜: 2, бронза: 2, бронзовый: 2 },
  ...{ silver: 3, 银牌: 3, 白银: 3, серебро: 3, серебряный: 3 },
  ...{ gold: 4, 金牌: 4, 黄金: 4, золото: 4, золотой: 4 },
}

/** What is wrong with a line; what is wrong with a field as well is one of the forms' own problems. */
const importProblems = [
  'account_wrong',
  'name_wrong',
  'role_wrong',
  'level_wrong',
  'text_long',
  /** Also in line `other`. */
  'account_twice',
  'account_taken',
] as const

const importLineSchema = z.object({
  /** Of the file, from 1, with its head. */
  line: z.int(),
  account: z.string(),
  nickName: z.string(),
  role: z.string(),
  level: z.string(),
  organ: z.string(),
  dept: z.string(),
  problems: z.array(z.object({ problem: z.enum(importProblems), other: z.int().optional() })),
})
export type ImportLine = z.infer<typeof importLineSchema>

/** One account as it is made. */
export const importedSchema = z.object({
  account: accountSchema,
  nickName: nickNameSchema,
  role: roleSchema.default(roles.member),
  level: levelSchema.default(1),
  organ: z.string().max(limits.textLength).default(''),
  dept: z.string().max(limits.textLength).default(''),
})

const file = z
  .base64()
  .min(1)
  .max(Math.ceil(limits.bytes / 3) * 4)

export const memberImportCalls = {
  'members/preview': route({
    summary: 'What a table of accounts would make, and what is wrong with which line; makes nothing',
    request: z.object({ file }),
    response: z.object({
      lines: z.array(importLineSchema),
      /** Columns that are not known; what stands in them is not used. */
      unknown: z.array(z.string()),
      good: z.int(),
    }),
    errors: ['import_unreadable', 'import_no_accounts', 'import_too_long'],
  }),
  'members/import': route({
    summary:
      'Make the accounts of a table, all of them or, where that is meant, those without a problem; their passwords are told this once',
    request: z.object({ file, only: z.enum(['all', 'good']) }),
    response: z.object({
      made: z.array(z.object({ account: z.string(), nickName: z.string(), password: z.string() })),
    }),
    errors: ['import_unreadable', 'import_no_accounts', 'import_too_long', 'import_problems'],
  }),
}
