// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/primitive.h"
#include "widgets/charts/chartwidget.h"

#include <array>

class QLabel;

namespace lk {

/// Where a primitive's keys lie among the 16,384 slots of a cluster. One script may only touch keys
/// that share a slot.
struct SlotSpread
{
    static constexpr int slotCount = 16384;
    static constexpr int binCount = 128;
    static constexpr size_t mostKeys = 4096; ///< read

    int main = -1;                    ///< the main key's slot
    int keys = 0;                     ///< read
    int apart = 0;                    ///< keys outside the main key's slot
    int used = 0;                     ///< different slots
    bool cut = false;                 ///< there are more keys than were read
    std::array<int, binCount> bins{}; ///< keys in each part of the range, from slot 0 on

    static SlotSpread of(const Primitive& primitive);
    QString summary() const; ///< translated
};

/// The spread in words, and as a strip from slot 0 to 16,383 with the main key's slot marked.
class SlotSpreadView final : public ChartWidget
{
    Q_OBJECT

public:
    explicit SlotSpreadView(QWidget* parent = nullptr);

    void setPrimitive(const PrimitivePtr& primitive);
    const SlotSpread& spread() const { return m_spread; }
    QString csv() const override; ///< keys in each part of the range

protected:
    void paintEvent(QPaintEvent* event) override;
    Shown shown() const override;
    QString chartTitle() const override { return tr("Cluster slots"); }

private:
    PrimitivePtr m_primitive;
    SlotSpread m_spread;
    QLabel* m_summary;
    QWidget* m_strip;
};

} // namespace lk
