// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/jobs.h"

#include <QWidget>

class QButtonGroup;
class QGridLayout;

namespace lk {

/// A button for each state of a queue's jobs with its count, in the library's own order; beside
/// each other, or in as many rows as it takes.
class JobStateBar final : public QWidget
{
    Q_OBJECT

public:
    explicit JobStateBar(QWidget* parent = nullptr);

    void setStates(const std::vector<JobState>& states);
    void setCurrent(const QByteArray& name); ///< JobState::name
    QSize minimumSizeHint() const override;

signals:
    void chosen(const QByteArray& name);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void makeButtons();
    int widthOf(int columns) const;
    void placeButtons();

    std::vector<JobState> m_states;
    QButtonGroup* m_buttons; ///< in the same places
    QGridLayout* m_grid;
    int m_columns = 0;
};

} // namespace lk
