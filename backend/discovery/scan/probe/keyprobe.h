// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/discovery/classifier.h"
#include "backend/redis/server/capabilities.h"

namespace lk {

/// Adds the bounded commands that read what classification and the short read plans need, as far as
/// that server supports them.
void addProbeCommands(std::vector<Command>& commands, Probe& probe, const ServerVersion& server);

/// Adds the commands that these replies require: the values of hash fields that some layout reads,
/// the types of related keys. None for most keys. For a probe without replies it adds all that
/// could be needed.
void addFurtherCommands(std::vector<Command>& commands, const Probe& probe,
                        const Classifier& classifier);

/// The commands among them that read elements, members or fields, which may be too large.
std::vector<Command> contentCommands(const Probe& probe, const ServerVersion& server);

/// Stores the reply to one of them in the probe. Returns the error if the key cannot be judged. A
/// sibling that may not be read counts as absent: SCAN returns its name if it exists. NotFound: the
/// key ended after its type was read, so the other replies are void.
std::optional<Error> takeProbeReply(Probe& probe, const Command& command, Reply reply);

} // namespace lk
