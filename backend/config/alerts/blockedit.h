// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/config/configlines.h"

#include <vector>

namespace lk {

/// A line of a table in the configuration file.
struct BlockField
{
    const char* name;
    QByteArray value; ///< as the file has it; empty: it is as it is without the key
};

/// The lines of a new block.
QByteArrayList blockOf(const QByteArray& header, const std::vector<BlockField>& fields);

/// One block of the parsed file, by the fields that differ: comments and order stay. Errors:
/// BadConfig, where that takes more than changing lines.
Result<ConfigEdit> changedBlock(const QByteArray& toml, const QString& fileName,
                                const toml::table& block, const std::vector<BlockField>& before,
                                const std::vector<BlockField>& now);

} // namespace lk
