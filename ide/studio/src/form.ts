// The JSON form of a game, as `rgtrans --to json` writes it (`rgtrans schema` has the whole of it).

export type TypeForm =
  | { kind: 'Set'; identifiers: string[] }
  | { kind: 'Arrow'; lhs: TypeForm; rhs: TypeForm }
  | { kind: 'TypeReference'; identifier: string };
export type ValueForm =
  { kind: 'Element'; identifier: string } | { kind: 'Map'; entries: { identifier: string | null; value: ValueForm }[] };
export type ExpressionForm =
  | { kind: 'Reference'; identifier: string }
  | { kind: 'Access'; lhs: ExpressionForm; rhs: ExpressionForm }
  | { kind: 'Cast'; lhs: TypeForm; rhs: ExpressionForm };
export interface NodeForm {
  identifier: string;
}
export type LabelForm =
  | { kind: 'Skip' }
  | { kind: 'Assignment'; lhs: ExpressionForm; rhs: ExpressionForm }
  | { kind: 'AssignmentAny'; lhs: ExpressionForm; rhs: TypeForm }
  | { kind: 'Comparison'; lhs: ExpressionForm; rhs: ExpressionForm; negated: boolean }
  | { kind: 'Reachability'; lhs: NodeForm; rhs: NodeForm; negated: boolean }
  | { kind: 'Tag'; symbol: string }
  | { kind: 'TagVariable'; identifier: string };
// Those that a reasoner reads.
export type PragmaForm =
  | { kind: 'ArtificialTag'; tags: string[] }
  | { kind: 'Disjoint' | 'DisjointExhaustive'; node: NodeForm; nodes: NodeForm[] }
  | { kind: 'Repeat'; identifiers: string[]; nodes: NodeForm[] }
  | { kind: 'Unique'; nodes: NodeForm[] };
export interface GameForm {
  types: { identifier: string; type: TypeForm }[];
  constants: { identifier: string; type: TypeForm; value: ValueForm }[];
  variables: { identifier: string; type: TypeForm; defaultValue: ValueForm }[];
  edges: { lhs: NodeForm; rhs: NodeForm; label: LabelForm }[];
  pragmas: PragmaForm[];
}
