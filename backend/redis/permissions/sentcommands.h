// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/redis/protocol/command.h"

#include <QtGlobal>

#include <span>

namespace lk {

/// What a command is for: what is lost without it.
enum class CommandUse : quint8 {
    Greeting,    ///< PING and the connection's name
    Database,    ///< another one than 0
    ServerFacts, ///< version, role, memory, persistence
    Settings,    ///< whether snapshots are on; whether notifications are
    ServerTime,  ///< the clock of all that is shown
    Scanning,    ///< finding keys whose names nobody has told
    ScanSize,    ///< how far a scan is
    Detecting,   ///< what a key is
    Reading,     ///< what it holds
    KeySizes,    ///< what it weighs
    Workers,     ///< who is connected
    ChangeFeed,  ///< being told of changes
    KeepUnused,  ///< reading without making keys recently used
    ClusterMap,  ///< the other nodes
    SlotLoad,    ///< which slots have most to do
    Foresight,   ///< whether an action would be refused
    Outcomes,    ///< what has come of an action, and whether it can be undone
    Running,     ///< any action
    Writing,     ///< some actions
    Undoing,     ///< taking one back
};

/// One command that the console sends, or that one of its scripts runs.
struct SentCommand
{
    const char* name;       ///< "CONFIG"
    const char* subcommand; ///< "GET"; null: the command as a whole
    const char* sample;     ///< arguments that are right in number: "k 0 0"; k stands for a key
    CommandUse use;
    quint8 kinds = 0; ///< Detecting, Reading, Writing: of which kinds, a bit each by Kind
};

/// All that a session sends which only reads, what it asks before an action included. Of commands
/// that some versions lack it is those that have them that matter: see featureOf().
std::span<const SentCommand> readingCommands();
/// All that is needed besides to act: of scripts, and in them.
std::span<const SentCommand> actingCommands();

/// "+config|get", as ACL SETUSER takes it.
QByteArray aclRule(const SentCommand& command);
/// The command alone, or with its subcommand: what a server's version may lack.
Command bareCommand(const SentCommand& command);
/// With arguments that a server takes. Harmless if the command reads and the key is nobody's.
Command sampleOf(const SentCommand& command, const QByteArray& key);

} // namespace lk
