import type { Language } from '@neuroloom/contract/language'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'react-router'
import { currentLanguage } from '../../lib/i18n.ts'
import { inLanguage, languages, languageTags, withoutLanguage } from '../../lib/language.ts'

/** What a page says of itself to browsers, search engines and whoever it is shared with. */
export type Head = { title: string; description: string }
export type HeadTag = { tag: 'meta' | 'link'; attributes: Record<string, string> }

/** Told by pages that are being rendered ahead, where nothing can be written into a document. */
export const renderedHead: { current: Head | null } = { current: null }

/** The title and the head's tags of this page, for as long as it is shown. */
export function useHead({ title, description }: Head): void {
  useTranslation('common')
  const { pathname } = useLocation()
  const language = currentLanguage()
  if (import.meta.env.SSR) renderedHead.current = { title, description }
  useEffect(() => {
    document.title = titleOf(title)
    const path = withoutLanguage(pathname)
    for (const made of headTags({ title, description, path, language, origin: location.origin })) write(made)
    return () => {
      for (const old of document.head.querySelectorAll('link[rel="canonical"], link[rel="alternate"]'))
        old.remove()
    }
  }, [title, description, pathname, language])
}

/** The front page bears the name of the product first. */
export const titleOf = (title: string): string =>
  title.startsWith('Neuroloom') ? title : `${title} · Neuroloom`

type Place = Head & { path: string; language: Language; origin: string }

export function headTags({ title, description, path, language, origin }: Place): HeadTag[] {
  const address = (one: Language) => origin + inLanguage(path, one)
  const property = (name: string, content: string): HeadTag => ({
    tag: 'meta',
    attributes: { property: name, content },
  })
  const alternate = (hreflang: string, href: string): HeadTag => ({
    tag: 'link',
    attributes: { rel: 'alternate', hreflang, href },
  })
  return [
    { tag: 'meta', attributes: { name: 'description', content: description } },
    { tag: 'link', attributes: { rel: 'canonical', href: address(language) } },
    ...languages.map((one) => alternate(one, address(one))),
    alternate('x-default', address('en')),
    property('og:type', 'website'),
    property('og:site_name', 'Neuroloom'),
    property('og:title', titleOf(title)),
    property('og:description', description),
    property('og:url', address(language)),
    property('og:locale', languageTags[language].replace('-', '_')),
    property('og:image', `${origin}/pictures/${language}/result.webp`),
  ]
}

/** Attributes by which a tag is known again; the others are its content. */
const identity = ['name', 'property', 'rel', 'hreflang'] as const

function write({ tag, attributes }: HeadTag): void {
  const selector = identity
    .filter((name) => name in attributes)
    .map((name) => `[${name}="${attributes[name]}"]`)
    .join('')
  const found = document.head.querySelector(tag + selector)
  const element = found ?? document.head.appendChild(document.createElement(tag))
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value)
}
