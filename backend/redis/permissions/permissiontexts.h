// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/redis/permissions/sentcommands.h"

#include <QString>

namespace lk {

/// Describes in one or two sentences what a user loses without that command. Translated.
QString costText(const SentCommand& command);

/// As programs read it: "server-facts". Not translated.
QByteArray useId(CommandUse use);

} // namespace lk
