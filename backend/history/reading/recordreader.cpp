// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/history/recordreader.h"

#include <QFileInfo>

namespace lk {

RecordReader::RecordReader(QString path)
    : m_path(std::move(path))
{}

RecordReader::~RecordReader() = default;

void RecordReader::tell(const Error& error)
{
    if (!std::exchange(m_failed, true))
        emit failed(error);
}

// The file may appear later: a recording program creates it.
RecordQueries* RecordReader::queries()
{
    if (m_queries && m_queries->isInPlace())
        return m_queries.get();
    m_queries.reset();
    if (!QFileInfo::exists(m_path))
        return nullptr;
    auto queries = std::make_unique<RecordQueries>(m_path);
    if (const Result<void> opened = queries->open(); !opened) {
        tell(opened.error());
        return nullptr;
    }
    m_failed = false;
    m_queries = std::move(queries);
    return m_queries.get();
}

void RecordReader::ask(const std::function<void(RecordQueries&)>& work)
{
    RecordQueries* queries = this->queries();
    if (!queries)
        return;
    work(*queries);
    if (const std::optional<Error> damage = queries->damage())
        tell(*damage);
}

} // namespace lk
