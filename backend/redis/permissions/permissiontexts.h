// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/redis/permissions/sentcommands.h"

#include <QString>

namespace lk {

/// What a user without that command goes without: one or two sentences. Translated.
QString costText(const SentCommand& command);

/// As programs read it: "server-facts". Not translated.
QByteArray useId(CommandUse use);

} // namespace lk
