// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/state.h"
#include "widgets/controls/tables/flattable.h"
#include "widgets/controls/tables/rowmodel.h"

namespace lk {

/// One of the clients that share a limiter.
struct ConsumerRow
{
    Consumer consumer;
    int slot = 0;
    int mainSlot = 0; ///< the slot of the shared key
};

/// The clients that share a limiter, as rows: name, used of limit, next free, the cluster's slot.
class ConsumerModel final : public RowModel<ConsumerRow>
{
    Q_OBJECT

public:
    explicit ConsumerModel(QObject* parent = nullptr);

    /// mainSlot: of the key that they share.
    void setConsumers(const std::vector<Consumer>& consumers, int mainSlot);
};

/// The table of a limiter's consumers; owns its model. Belongs to the limiter's detail body.
class ConsumerTable final : public FlatTable
{
    Q_OBJECT

public:
    explicit ConsumerTable(QWidget* parent = nullptr);

    void setConsumers(const std::vector<Consumer>& consumers, int mainSlot);

private:
    ConsumerModel* m_model;
};

} // namespace lk
