import { FileImageOutlined, FolderOpenOutlined } from '@ant-design/icons'
import type { ConversionItem } from '@neuroloom/contract/conversions'
import { Button } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { formatNumber } from '../../../lib/format.ts'
import { folderAddress } from '../use-open-entry.ts'
import { Comparison, summaryOf } from './comparison.tsx'
import { ConversionMark } from './conversion-mark.tsx'
import styles from './convert.module.css'

/** A result that is looked at. */
export type Opened = { id: string; name: string }

type ItemProps = {
  item: ConversionItem
  folderId: string | null
  /** Its comparison is shown without being asked for. */
  isOpenAtFirst: boolean
  /** Its state is the conversion's own. */
  isAlone: boolean
  onOpen: (result: Opened) => void
}

/** One source, what it has become, and how both compare. */
export function ConversionItemRow({ item, folderId, isOpenAtFirst, isAlone, onOpen }: ItemProps) {
  const { t } = useTranslation(['conversions', 'viewing'])
  const [isShown, setShown] = useState(isOpenAtFirst)
  const { sourceName, sourceFiles, state, reason, checks, notes } = item
  const changed = checks.some((check) => check.state === 'changed')
  return (
    <li className={styles.item}>
      <div className={styles.names}>
        <span className={styles.name}>
          {sourceName}
          {sourceFiles > 1 && (
            <small>{t('list.sourceFiles', { count: sourceFiles, shown: formatNumber(sourceFiles) })}</small>
          )}
        </span>
        {!isAlone && state !== 'done' && <ConversionMark state={state} />}
        {state === 'done' && <Result item={item} folderId={folderId} onOpen={onOpen} />}
      </div>
      {state === 'failed' && reason && (
        <p className={styles.failed}>{t(`viewing:reasons.${reason.name}`, reason.params)}</p>
      )}
      {notes.length > 0 && (
        <ul className={styles.notes} aria-label={t('compare.notes', { name: sourceName })}>
          {notes.map(({ name, params }) => (
            <li key={`${name} ${JSON.stringify(params)}`}>{t(`viewing:notes.${name}`, params)}</li>
          ))}
        </ul>
      )}
      {checks.length > 0 && (
        <div className={styles.summary}>
          <span data-changed={changed}>{summaryOf(checks, t)}</span>
          <Button
            size="small"
            type="link"
            aria-expanded={isShown}
            aria-label={t('compare.of', { name: sourceName })}
            onClick={() => setShown(!isShown)}
          >
            {t(isShown ? 'compare.hide' : 'compare.show')}
          </Button>
        </div>
      )}
      {isShown && checks.length > 0 && <Comparison name={sourceName} checks={checks} />}
    </li>
  )
}

type ResultProps = Pick<ItemProps, 'item' | 'folderId' | 'onOpen'>

/** The way to the result: a folder is gone into, a file is opened here. */
function Result({ item: { resultId, resultName, resultKind, resultFiles }, folderId, onOpen }: ResultProps) {
  const { t } = useTranslation('conversions')
  if (resultId === null)
    return (
      <span className={styles.soft}>
        <s>{resultName}</s> {t('list.gone')}
      </span>
    )
  if (resultKind === 'folder')
    return (
      <span className={styles.result}>
        <Link to={folderAddress(resultId)}>
          <FolderOpenOutlined aria-hidden /> {resultName}
        </Link>
        <small>{t('list.results', { count: resultFiles, shown: formatNumber(resultFiles) })}</small>
      </span>
    )
  return (
    <span className={styles.result}>
      <Button
        type="link"
        icon={<FileImageOutlined aria-hidden />}
        aria-label={t('list.open', { name: resultName })}
        onClick={() => onOpen({ id: resultId, name: resultName })}
      >
        {resultName}
      </Button>
      <Link to={folderId === null ? '/cloudHome' : folderAddress(folderId)}>{t('list.folder')}</Link>
    </span>
  )
}
