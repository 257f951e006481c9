// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/redis/protocol/command.h"

#include <QtGlobal>

#include <span>

namespace lk {

/// The purpose of a command, which is lost without it.
enum class CommandUse : quint8 {
    Greeting,    ///< PING and the connection's name
    Database,    ///< selecting a database other than 0
    ServerFacts, ///< version, role, memory, persistence
    Settings,    ///< whether snapshots are on; whether notifications are
    ServerTime,  ///< the clock for all displayed times
    Scanning,    ///< finding keys whose names are not known
    ScanSize,    ///< the progress of a scan
    Detecting,   ///< detecting the type and layout of a key
    Reading,     ///< reading the content of a key
    KeySizes,    ///< the memory used by a key
    Workers,     ///< the connected clients
    ChangeFeed,  ///< notifications of changes
    KeepUnused,  ///< reading without making keys recently used
    ClusterMap,  ///< the other nodes
    SlotLoad,    ///< the busiest slots
    Foresight,   ///< whether an action would be refused
    Outcomes,    ///< the result of an action, and whether it can be undone
    Running,     ///< any action
    Writing,     ///< some actions
    Undoing,     ///< undoing an action
};

/// One command that the console sends, or that one of its scripts runs.
struct SentCommand
{
    const char* name;       ///< "CONFIG"
    const char* subcommand; ///< "GET"; null: the command as a whole
    const char* sample;     ///< a valid number of arguments: "k 0 0"; k stands for a key
    CommandUse use;
    quint8 kinds = 0; ///< for Detecting, Reading, Writing: the kinds, one bit each by Kind
};

/// Returns all commands of a session that only read, including the checks before an action. If only
/// some versions have a command, it matters only on those: see featureOf().
std::span<const SentCommand> readingCommands();
/// Returns the additional commands needed to act: those that run scripts, and those inside scripts.
std::span<const SentCommand> actingCommands();

/// "+config|get", as ACL SETUSER takes it.
QByteArray aclRule(const SentCommand& command);
/// The command alone, or with its subcommand, to check it against a server's version.
Command bareCommand(const SentCommand& command);
/// Returns the command with valid arguments. Harmless if the command reads and the key does not
/// exist.
Command sampleOf(const SentCommand& command, const QByteArray& key);

} // namespace lk
