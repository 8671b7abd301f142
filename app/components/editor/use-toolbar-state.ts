import {
  CAN_REDO_COMMAND,
  CAN_UNDO_COMMAND,
  COMMAND_PRIORITY_LOW,
  mergeRegister,
  type LexicalEditor,
} from 'lexical';
import { useEffect, useState } from 'react';
import { $readCaret, CARET_AT_REST } from './editor-actions';
import type { ToolbarState } from './toolbar';

/** The state of the toolbar, which follows the caret and the history. */
export function useToolbarState(editor: LexicalEditor): ToolbarState {
  const [caret, setCaret] = useState(CARET_AT_REST);
  const [history, setHistory] = useState({ canUndo: false, canRedo: false });
  useEffect(
    () =>
      mergeRegister(
        editor.registerUpdateListener(({ editorState }) => {
          const next = editorState.read($readCaret);
          setCaret((before) => (JSON.stringify(before) === JSON.stringify(next) ? before : next));
        }),
        editor.registerCommand(
          CAN_UNDO_COMMAND,
          (canUndo) => {
            setHistory((before) => ({ ...before, canUndo }));
            return false;
          },
          COMMAND_PRIORITY_LOW,
        ),
        editor.registerCommand(
          CAN_REDO_COMMAND,
          (canRedo) => {
            setHistory((before) => ({ ...before, canRedo }));
            return false;
          },
          COMMAND_PRIORITY_LOW,
        ),
      ),
    [editor],
  );
  return { ...caret, ...history };
}
