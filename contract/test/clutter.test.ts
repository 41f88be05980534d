import { isClutter, isHiddenPath } from '@neuroloom/contract/names/archive-names'
import { expect, it } from 'vitest'

it.each([
  ...['set/.DS_Store', 'set/._1.png', 'Thumbs.db', 'a/ehthumbs_vista.db', 'a/Desktop.ini', 'a/Icon\r'],
  ...['set/@eaDir/1.png/SYNOPHOTO_THUMB_M.jpg', '@eaDir', '$RECYCLE.BIN/S-1-5/1.png', 'RECYCLER/1.png'],
  ...['System Volume Information/tracking.log', 'lost+found/#123', '#recycle/a/1.png', '__MACOSX/x.png'],
  ...['.Trash-1000/files/1.png', 'a/.ipynb_checkpoints/1-checkpoint.png', '#snapshot/daily/1.png'],
])('%s is left by a system', (path) => {
  expect([isClutter(path), isHiddenPath(path)]).toEqual([true, true])
})

it('keeps what people call alike, and hides what begins with a dot in data alone', () => {
  const own = ['recycle/1.png', 'lost and found/1.png', 'eaDir/1.png', 'thumbs.png', 'system/1.png']
  for (const path of own) expect([path, isClutter(path), isHiddenPath(path)]).toEqual([path, false, false])
  expect([isClutter('.git/config'), isHiddenPath('.git/config')]).toEqual([false, true])
})
