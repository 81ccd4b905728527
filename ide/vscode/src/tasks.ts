// Tasks: the program on a file, with its messages among the problems.
import * as vscode from "vscode";
import { programPath } from "./client";

interface Definition extends vscode.TaskDefinition {
  command: string;
  file?: string;
  depth?: number;
}

export class RgtransTasks implements vscode.TaskProvider {
  provideTasks(): vscode.Task[] {
    return [
      { type: "rgtrans", command: "check" },
      { type: "rgtrans", command: "perft", depth: 3 },
      { type: "rgtrans", command: "playouts" },
    ].map((definition) => this.task(definition));
  }

  resolveTask(task: vscode.Task): vscode.Task {
    return this.task(task.definition as Definition);
  }

  private task(definition: Definition): vscode.Task {
    const file = definition.file ?? "${file}";
    const more = definition.command === "perft" ? [String(definition.depth ?? 3)] : [];
    const { command } = definition;
    const execution = new vscode.ProcessExecution(programPath(), [command, file, ...more]);
    return new vscode.Task(definition, vscode.TaskScope.Workspace, command, "rgtrans", execution, "$rgtrans");
  }
}
