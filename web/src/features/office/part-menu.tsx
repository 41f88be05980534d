import { Select } from 'antd'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate } from 'react-router'
import styles from './part-menu.module.css'

type Group<Part extends string> = { name: string; parts: readonly Part[] }
type PartMenuProps<Part extends string> = { groups: readonly Group<Part>[]; current: Part }

const addressOf = (part: string): string => (part === 'members' ? '/admin' : `/admin?part=${part}`)

/** The parts of the back-office by subject: beside the page, and above it in a list where there is no room. */
export function PartMenu<Part extends string>({ groups, current }: PartMenuProps<Part>) {
  const { t } = useTranslation('admin')
  const id = useId()
  const navigate = useNavigate()
  return (
    <>
      <nav className={styles.menu} aria-label={t('title')}>
        {groups.map(({ name, parts }) => (
          <div key={name}>
            <p className={styles.group} id={`${id}-${name}`}>
              {t(`group.${name}`)}
            </p>
            <ul aria-labelledby={`${id}-${name}`}>
              {parts.map((part) => (
                <li key={part}>
                  <Link to={addressOf(part)} aria-current={part === current ? 'page' : undefined}>
                    {t(`part.${part}`)}
                  </Link>
                </li>
              ))}
            </ul>
          </div>
        ))}
      </nav>
      <Select<Part>
        className={styles.choice ?? ''}
        aria-label={t('choosePart')}
        value={current}
        onChange={(part) => navigate(addressOf(part))}
        options={groups.map(({ name, parts }) => ({
          label: t(`group.${name}`),
          options: parts.map((part) => ({ value: part, label: t(`part.${part}`) })),
        }))}
      />
    </>
  )
}
