// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/session/past/lifelines.h"

#include <QAbstractTableModel>

namespace lk {

/// The lines of a primitive's life that fit a filter, oldest first.
class LifeModel final : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum LifeColumn { WhenColumn, WhatColumn, ColumnTotal };

    using QAbstractTableModel::QAbstractTableModel;

    void setLife(LifeLines life);
    void setFilter(const QString& text);
    /// Those that fit.
    const LifeLines& lines() const { return m_fitting; }
    qsizetype total() const { return qsizetype(m_all.size()); }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    void arrange();

    LifeLines m_all;
    LifeLines m_fitting;
    QString m_filter;
    bool m_severalDays = false; ///< the date is told, too
};

} // namespace lk
