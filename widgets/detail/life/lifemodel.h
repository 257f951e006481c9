// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/session/past/timeline.h"
#include "widgets/controls/tables/rowmodel.h"

namespace lk {

/// The lines of a primitive's life that fit a filter, oldest first.
class LifeModel final : public RowModel<TimelineEntry>
{
    Q_OBJECT

public:
    enum LifeColumn { WhenColumn, WhatColumn, ColumnTotal };

    explicit LifeModel(QObject* parent = nullptr);

    void setLife(Timeline life);
    void setFilter(const QString& text);
    /// Those that fit.
    const Timeline& lines() const { return rows(); }
    qsizetype total() const { return qsizetype(m_all.size()); }

private:
    void arrange();

    Timeline m_all;
    QString m_filter;
    bool m_severalDays = false; ///< times include the date
};

} // namespace lk
