// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/discovery/classifier.h"
#include "backend/redis/server/capabilities.h"

namespace lk {

/// Adds the bounded commands that tell what classification and the short read plans ask of a key,
/// as that server knows them.
void addProbeCommands(std::vector<Command>& commands, Probe& probe, const ServerVersion& server);

/// Adds what the replies to these call for: the values of those fields of a hash that some layout
/// looks at, the types of keys that bear on it. Nothing for most keys. Of a probe that was told
/// nothing yet: all that could be.
void addFurtherCommands(std::vector<Command>& commands, const Probe& probe,
                        const Classifier& classifier);

/// Those of them that ask for elements, members or fields: all that may be too large to read.
std::vector<Command> contentCommands(const Probe& probe, const ServerVersion& server);

/// Takes the reply to one of them into the probe. Nothing, or why the key cannot be judged. A
/// sibling that may not be asked for counts as absent: SCAN tells its name if it exists. NotFound:
/// it ended since its type was asked for, so that what the others found of it tells nothing.
std::optional<Error> takeProbeReply(Probe& probe, const Command& command, Reply reply);

} // namespace lk
