// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSqlQuery>
#include <QVariant>

namespace lk {

/// The rows of one question; none where it could not be asked.
class Rows
{
public:
    Rows(const QSqlDatabase& db, const char* sql, const QVariantList& values)
        : Rows(db, sql)
    {
        ask(values);
    }
    /// A question that is asked several times: by ask().
    Rows(const QSqlDatabase& db, const char* sql)
        : m_query(db)
    {
        m_query.setForwardOnly(true);
        m_prepared = m_query.prepare(QLatin1String(sql));
    }

    void ask(const QVariantList& values)
    {
        if (!m_prepared)
            return;
        for (qsizetype i = 0; i < values.size(); ++i)
            m_query.bindValue(int(i), values[i]);
        m_query.exec();
    }

    bool next() { return m_query.next(); }
    qint64 number(int column) const { return m_query.value(column).toLongLong(); }
    double real(int column) const { return m_query.value(column).toDouble(); }
    QByteArray bytes(int column) const { return m_query.value(column).toByteArray(); }
    QString text(int column) const { return m_query.value(column).toString(); }
    bool isNull(int column) const { return m_query.isNull(column); }

private:
    QSqlQuery m_query;
    bool m_prepared = false;
};

} // namespace lk
