import styles from './cover.module.css'

/** What the data or the results of a thing look like, before its name. */
export function Cover({ url }: { url: string | undefined }) {
  return url ? <img className={styles.cover} src={url} alt="" loading="lazy" decoding="async" /> : null
}
