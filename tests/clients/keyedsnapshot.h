// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/clients/prefixes.h"
#include "tests/server/takensnapshot.h"
#include "tests/support/clientprocess.h"

namespace lk::test {

/// Returns the snapshot's primitive of that kind ("locks") that has a key with that ending; empty
/// if there is none.
inline QJsonObject withKey(const TakenSnapshot& taken, const char* kind, const QString& ending)
{
    for (const QJsonValue& found : taken.list(kind)) {
        for (const QJsonValue& key : found[QLatin1String("keys")].toObject()) {
            if (key.toString().endsWith(ending))
                return found.toObject();
        }
    }
    return {};
}

} // namespace lk::test
