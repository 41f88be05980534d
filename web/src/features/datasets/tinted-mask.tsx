import styles from './item-picture.module.css'

/** A mask in one colour, the stronger the brighter its picture is. */
export function TintedMask({ source, tint }: { source: string; tint: string }) {
  const style = { maskImage: `url("${source}")`, background: `var(${tint})` }
  return <span className={styles.mask} style={style} data-testid="mask" />
}
