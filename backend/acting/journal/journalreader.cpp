// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/acting/journal/journalreader.h"

namespace lk {

JournalReader::JournalReader(const QString& path)
    : m_journal(path)
{}

void JournalReader::read()
{
    Result<Journal::Contents> contents = m_journal.read();
    if (contents)
        emit contentsRead(std::make_shared<const Journal::Contents>(std::move(*contents)));
    else
        emit failed(contents.error());
}

} // namespace lk
