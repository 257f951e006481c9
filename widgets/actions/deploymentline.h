// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QLayout;

namespace lk {

class Session;

/// The first line of a dialog that acts: its environment's badge and its name. A dialog belongs to
/// the deployment it was opened in, whatever is in front behind it by now.
QLayout* deploymentLine(const Session& session);

} // namespace lk
