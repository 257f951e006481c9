// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/config/config.h"
#include "backend/config/configlines.h"

#include <functional>
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

/// True if the text has a table of that name, however it is written.
bool containsTable(const QByteArray& toml, const char* name);

/// Returns a block of the parsed file; null if there is none.
using FindBlock = std::function<const toml::table*(const toml::table& root)>;
/// Finds the [[name]] that begins in that line.
FindBlock blockInLine(const char* name, int line);

/// The lines that ConfigEdit::lines has of a changed block.
enum class EditedLines : quint8 { Block, Changed };

/// Changes a block by the fields that differ: comments and order stay. Errors: BadConfig, where
/// that takes more than changing lines.
Result<ConfigEdit> changedBlock(const QByteArray& toml, const QString& fileName,
                                const FindBlock& find, const std::vector<BlockField>& before,
                                const std::vector<BlockField>& now,
                                EditedLines edited = EditedLines::Block);
/// Takes the block out. Errors as above.
Result<ConfigEdit> removedBlock(const QByteArray& toml, const QString& fileName,
                                const FindBlock& find);

/// Returns the edit if its text says what is wanted, and nothing else has changed. make gets the
/// present configuration and changes it as the edit will. Errors: BadConfig, and those of make.
Result<ConfigEdit> checkedEdit(const QByteArray& toml, const QString& fileName,
                               const std::function<Result<ConfigEdit>(Config& config)>& make);

} // namespace lk
