import type { TFunction } from 'i18next'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { Cover } from '../ui/pictures/cover.tsx'
import type { Found } from './search-all.ts'
import styles from './site-search.module.css'

type Result = { to: string; name: string; about?: string; cover?: string | undefined }

/** What was found, by kind; every result is a link, so that it also opens in another tab. */
export function SearchResults({ found, onGo }: { found: Found; onGo: () => void }) {
  const { t } = useTranslation(['workspace', 'runs', 'site'])
  const id = useId()
  const groups = resultsOf(found, t)
  const count = groups.reduce((sum, { results }) => sum + results.length, 0)
  return (
    <>
      <p className="nl-hidden" role="status">
        {t('workspace:search.count', { count })}
      </p>
      {groups.map(({ kind, results }) => (
        <section key={kind} aria-labelledby={`${id}-${kind}`}>
          <h2 id={`${id}-${kind}`}>{t(`workspace:search.group.${kind}`)}</h2>
          <ul>
            {results.map(({ to, name, about, cover }) => (
              <li key={to}>
                <Link to={to} className={styles.result} onClick={onGo}>
                  <Cover url={cover} />
                  <span className={styles.words}>
                    {name}
                    {about ? <small>{about}</small> : null}
                  </span>
                </Link>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </>
  )
}

/** In its folder, which shows what is called like it: among thousands it would not be seen. */
function fileAddress({
  name,
  folder,
  owner,
}: Pick<Found['files'][number], 'name' | 'folder' | 'owner'>): string {
  const search = `search=${encodeURIComponent(name)}`
  if (folder !== null) return `/cloudFile?id=${encodeURIComponent(folder.id)}&${search}`
  return owner === '' ? `/cloudHome?${search}` : '/cloudHome?tab=shared'
}

type Group = { kind: 'pages' | 'projects' | 'files' | 'networks' | 'runs'; results: Result[] }

function resultsOf({ page, projects, files, networks, runs, covers }: Found, t: TFunction): Group[] {
  const at = (path: string, id: string) => `${path}?id=${encodeURIComponent(id)}`
  const of = (owner: string) => (owner === '' ? '' : t('workspace:search.of', { name: owner }))
  const groups: Group[] = [
    { kind: 'pages', results: page === null ? [] : [{ to: page, name: t(`site:pages.${page.slice(1)}`) }] },
    {
      kind: 'projects',
      results: projects.map(({ id, name, owner }) => ({
        to: at('/projectDetail', id),
        name,
        about: of(owner),
        cover: covers[id],
      })),
    },
    {
      kind: 'files',
      results: files.map(({ id, kind, name, folder, owner }) => ({
        to: kind === 'folder' ? at('/cloudFile', id) : fileAddress({ name, folder, owner }),
        name,
        about: [folder?.name ?? '', of(owner)].filter(Boolean).join(' · '),
      })),
    },
    { kind: 'networks', results: networks.map(({ id, name }) => ({ to: at('/dripe', id), name })) },
    {
      kind: 'runs',
      results: runs.map(({ id, kind, number, project, dataset }) => ({
        to: at('/run', id),
        name: t(`runs:list.${kind}`, { number }),
        about: [project, dataset].filter(Boolean).join(' · '),
        cover: covers[id],
      })),
    },
  ]
  return groups.filter(({ results }) => results.length > 0)
}
