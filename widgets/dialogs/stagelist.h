// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/redis/check/checkstage.h"

#include <QWidget>

#include <utility>
#include <vector>

class QGridLayout;
class QLabel;

namespace lk {

/// The stages of a connection test, one line each: the outcome, the duration, the findings.
class StageList final : public QWidget
{
    Q_OBJECT

public:
    explicit StageList(QWidget* parent = nullptr);

    void add(const CheckStage& stage);
    void clear(); ///< and hides it: an empty one takes no room

private:
    void updateStyle(QLabel* sign, CheckStage::Outcome outcome) const;

    QGridLayout* m_grid;
    std::vector<std::pair<QLabel*, CheckStage::Outcome>> m_signs;
};

} // namespace lk
