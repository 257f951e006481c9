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
        : m_query(db)
    {
        m_query.setForwardOnly(true);
        if (!m_query.prepare(QLatin1String(sql)))
            return;
        for (const QVariant& value : values)
            m_query.addBindValue(value);
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
};

} // namespace lk
