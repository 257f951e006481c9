// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/history/store/recordfile.h"

#include <QSqlQuery>
#include <QVariant>

namespace lk {

/// The rows of one query; none if the query fails. Notes in the RecordFile if the file is damaged.
class Rows
{
public:
    Rows(RecordFile& file, const char* sql, const QVariantList& values)
        : Rows(file, sql)
    {
        ask(values);
    }
    /// Prepares a query that ask() executes, possibly several times.
    Rows(RecordFile& file, const char* sql)
        : m_file(file)
        , m_query(file.db())
    {
        m_query.setForwardOnly(true);
        m_prepared = m_query.prepare(QLatin1String(sql));
        if (!m_prepared)
            m_file.noteDamage(m_query.lastError());
    }

    void ask(const QVariantList& values)
    {
        if (!m_prepared)
            return;
        for (qsizetype i = 0; i < values.size(); ++i)
            m_query.bindValue(int(i), values[i]);
        if (!m_query.exec())
            m_file.noteDamage(m_query.lastError());
    }

    bool next()
    {
        if (m_query.next())
            return true;
        m_file.noteDamage(m_query.lastError());
        return false;
    }
    qint64 number(int column) const { return m_query.value(column).toLongLong(); }
    double real(int column) const { return m_query.value(column).toDouble(); }
    QByteArray bytes(int column) const { return m_query.value(column).toByteArray(); }
    QString text(int column) const { return m_query.value(column).toString(); }
    bool isNull(int column) const { return m_query.isNull(column); }

private:
    RecordFile& m_file;
    QSqlQuery m_query;
    bool m_prepared = false;
};

} // namespace lk
