/** The three languages of the interface. */
import * as z from 'zod'

export const languages = ['en', 'zh', 'ru'] as const
export const languageSchema = z.enum(languages)
export type Language = z.infer<typeof languageSchema>
