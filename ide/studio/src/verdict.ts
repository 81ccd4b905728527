// A sentence that names the winner, as in backends/scene.
export function verdict(players: string[], outcome: string[]): string {
  const goals = outcome.map(Number);
  if (players.length === 0 || goals.length !== players.length || goals.some(Number.isNaN)) return '';
  if (players.length === 1) return `${players[0]} gets ${outcome[0]}.`;
  const best = Math.max(...goals);
  const winners = players.filter((_, i) => goals[i] === best);
  if (winners.length === players.length) return 'It is a draw.';
  return winners.length === 1 ? `${winners[0]} wins.` : `${winners.join(' and ')} share the first place.`;
}
